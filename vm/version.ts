/** The version that every answer names as runtime_version; a test keeps it equal to package.json. */
export const RUNTIME_VERSION = "1.0.0";
/** What the machine means by a program: raised whenever a function, a meter or a check changes what one does. A deployed version keeps its own. */
export const SEMANTICS = 1;
