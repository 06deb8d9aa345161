/** Resolves in the next task, before which the browser may have painted and answered its reader. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
