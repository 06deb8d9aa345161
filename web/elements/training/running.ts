/** What training needs, and saved models: loaded when a run starts. */
export { modelFiles, readModel } from '../../training/model-file.js';
export { Session } from '../../training/session.js';
