/**
 * What a fault that chevrotain finds is called here: the code of the diagnostic. Its text, place and fix are made where the step is
 * put together, from all of its line.
 */
import type { IParserErrorMessageProvider } from "chevrotain";

export const MISSING_SLOT = "WF2004";
const UNEXPECTED = "WF1009";

export const CODES: IParserErrorMessageProvider = {
  buildNoViableAltMessage: () => MISSING_SLOT,
  buildEarlyExitMessage: () => MISSING_SLOT,
  buildMismatchTokenMessage: () => UNEXPECTED,
  buildNotAllInputParsedMessage: () => UNEXPECTED,
};
