/**
 * The licences of the packages whose code the build copies into its files. Made from what the bundler says it copied, so that a new
 * dependency cannot be forgotten; the build fails where a package has no licence text.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const RULE = `${"-".repeat(80)}\n`;

/** Folders, relative to the root, of the packages of which a bundle holds at least one byte. */
export function bundledPackages(metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        // A plugin may put its name before the path of a module: `start:/…/node_modules/zod/index.js`.
        const folder = PACKAGE_FOLDER.exec(path)?.[0];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder.slice(folder.indexOf("node_modules/")));
      }
  return [...folders].sort();
}

/** The text of the file. Throws for a package without a licence text. */
export async function noticesOf(root, folders) {
  const notices = new Map();
  for (const folder of folders) {
    const facts = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
    notices.set(`${facts.name} ${facts.version}`, await noticeOf(join(root, folder), facts));
  }
  const names = [...notices.keys()].sort();
  const head = `Weft contains code of the packages below, in the files dist/*.mjs and dist/chunks/*.mjs.
This file is made by the build: ${names.length} packages.\n\n${names.map((name) => `  ${name}\n`).join("")}`;
  return [head, ...names.map((name) => `\n${RULE}${notices.get(name)}`)].join("");
}

async function noticeOf(folder, { name, version, license, author, repository, homepage }) {
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  if (texts.length === 0) texts.push(await standardText(name, license, author));
  const source = typeof repository === "string" ? repository : (repository?.url ?? homepage);
  if (source === undefined) throw new Error(`notices: ${name} does not say where its source is`);
  return `${name} ${version}\nLicence: ${license}\nSource:  ${source}\n\n${texts.map((text) => `${text.trim()}\n`).join("\n")}`;
}

/** For packages that name the MIT licence and ship no text of it. */
async function standardText(name, license, author) {
  const holder = (typeof author === "string" ? author : author?.name) ?? `the authors of ${name}`;
  if (license !== "MIT") throw new Error(`notices: ${name} has no licence file`);
  const text = await readFile(new URL("licences/MIT.txt", import.meta.url), "utf8");
  return text.replace("{author}", holder);
}
