/** The version that every answer names as runtime_version; a test keeps it equal to package.json. */
export const RUNTIME_VERSION = "1.0.0";
