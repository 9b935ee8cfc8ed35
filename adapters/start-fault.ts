/** Something that the operator must mend before anything can be served: the start ends (exit 2) with this one sentence. */
export class StartFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StartFault";
  }
}
