/** `body`: a document, which is sent as JSON, or text that is sent as it is. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | string;
};

/** An answer as it is kept, so that a repetition is the same byte for byte. */
export type TextAnswer = Answer & { readonly body: string };
