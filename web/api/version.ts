/** The version in package.json; a test holds the two equal. */
export const version = '1.0.0';
