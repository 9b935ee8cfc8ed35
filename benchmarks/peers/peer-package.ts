/** The packages that Weft is compared with. This project does not need them: they are installed for a comparison. */

export const HOW_TO_INSTALL = "npm ci --prefix benchmarks";

/** A package of `benchmarks/package.json`, or one that has to be made for the machine. Null: it is not installed, or not made for this Node. */
export async function peerPackage<Package>(name: string): Promise<Package | null> {
  try {
    return (await import(name)) as Package;
  } catch {
    return null;
  }
}
