/** An error that the operator must fix before the start: the process ends (exit 2) with this one sentence. */
export class StartFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StartFault";
  }
}
