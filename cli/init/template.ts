/**
 * What a template of `wf init` is made of, and the files it becomes: a program, its golden tests, a configuration that lets the
 * program run without further flags, and a README. Every template passes `wf check`, `wf fmt --check` and `wf test` as written.
 */

export type TemplateParts = {
  /** Also the name of its program. */
  readonly name: string;
  readonly title: string;
  readonly program: string;
  /** The golden tests, as JSON. */
  readonly expected: string;
  /** What is in wf.config.json. */
  readonly config: object;
  /** The command line that runs it. */
  readonly run: string;
  /** Further paragraphs of the page. */
  readonly more?: string;
  /** Further files, by path. */
  readonly files?: Readonly<Record<string, string>>;
};

export type ProjectTemplate = {
  readonly name: string;
  readonly run: string;
  /** Contents by path, relative to the new folder. */
  readonly files: Readonly<Record<string, string>>;
};

export function projectTemplate(parts: TemplateParts): ProjectTemplate {
  const { name, program, expected, config, run } = parts;
  return {
    name,
    run,
    files: {
      [`${name}.wf`]: program,
      [`${name}.expected.json`]: expected,
      "README.md": readme(parts),
      "wf.config.json": `${JSON.stringify(config, null, 2)}\n`,
      ".gitignore": IGNORED,
      ...parts.files,
    },
  };
}

/** Traces may hold what a run saw; records are tests and belong to the project. */
const IGNORED = "*.trace.json\n*.trace.jsonl\n/state/\n";

function readme({ name, title, run, more }: TemplateParts): string {
  const paragraphs = [
    `# ${title}`,
    `\`${name}.wf\` is the program, \`${name}.expected.json\` its tests, \`wf.config.json\` the configuration of both.`,
    ["```sh", "wf test", run, `wf security-report ${name}.wf`, "```"].join("\n"),
    ...(more === undefined ? [] : [more]),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}
