/** The files that differ from kind to kind. */
export type Template = { readonly "index.js": string; readonly "fixture.js": string; readonly "test.js": string };
