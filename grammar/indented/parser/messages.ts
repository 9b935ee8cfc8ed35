/** What chevrotain says where a token is missing: what to write there. */
import type { IParserErrorMessageProvider, TokenType } from "chevrotain";

const EXPECTED: Readonly<Record<string, string>> = {
  ElseWord: "write a if condition else b",
  InWord: "write for x in list",
  NameLike: "write a name",
};

function advice(expected: TokenType): string {
  return EXPECTED[expected.name] ?? "";
}

/** Each message is a suggestion, or empty. */
export const errorMessages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => advice(expected),
  buildNotAllInputParsedMessage: () => "",
  buildNoViableAltMessage: () => "",
  buildEarlyExitMessage: () => "",
};
