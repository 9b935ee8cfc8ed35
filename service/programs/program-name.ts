/** Names of deployments. */
export const PROGRAM_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
