/** Which tokens something begins or continues with. */
import * as T from "../lexing/tokens.ts";
import { setOf } from "../lexing/tokens.ts";

export const PREFIX = setOf([T.Not, T.Minus, T.Plus, T.Tilde]);
export const INFIX = setOf([
  ...[T.Infix, T.Plus, T.Minus, T.Star, T.DoubleStar, T.Slash, T.At, T.Pipe],
  ...[T.And, T.Or, T.In, T.Not, T.Is],
]);
/** What an expression begins with. */
export const EXPRESSION_BEGINS = [
  ...[T.Name, T.NumberLiteral, T.Text, T.Bytes, T.FStart, T.False, T.None, T.True, T.Ellipsis],
  ...[T.LParen, T.LBracket, T.LBrace, T.Not, T.Minus, T.Plus, T.Tilde, T.Await, T.Lambda],
];
export const BEGINS_EXPRESSION = setOf(EXPRESSION_BEGINS);
/** What an element of a list, a target or a value in a row begins with. */
export const BEGINS_ITEM = setOf([...EXPRESSION_BEGINS, T.Star]);
export const BEGINS_ARGUMENT = setOf([...EXPRESSION_BEGINS, T.Star, T.DoubleStar]);
export const BEGINS_SLICE = setOf([...EXPRESSION_BEGINS, T.Star, T.Colon]);
export const TRAILER = setOf([T.Dot, T.LParen, T.LBracket]);
