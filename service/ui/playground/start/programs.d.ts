/** Programs are bundled into the page as texts (`scripts/build.mjs`). */
declare module "*.wf" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the bundler exports a text so
  export default text;
}
