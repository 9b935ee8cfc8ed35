/** Files of the standard library of this machine's CPython, as programs that were not written for a test. */
import { spawnSync } from "node:child_process";

const LISTS =
  "import sysconfig, pathlib; print(*sorted(map(str, pathlib.Path(sysconfig.get_paths()['stdlib']).rglob('*.py'))), sep='\\n')";

/** One file in `every`; all of them where `WEFT_TEST_WHOLE` is set, which takes minutes. */
export function libraryFiles(python: string, every: number): readonly string[] {
  const step = process.env.WEFT_TEST_WHOLE === undefined ? every : 1;
  const { stdout } = spawnSync(python, ["-c", LISTS], { encoding: "utf8", maxBuffer: 2 ** 28 });
  return stdout
    .trim()
    .split("\n")
    .filter((path, index) => !path.includes("site-packages") && index % step === 0);
}
