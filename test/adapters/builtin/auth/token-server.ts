/** A provider of tokens on this machine: signs them, shows its public keys, answers introspection, and can be down. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import type { Json } from "../../../../compiler/json.ts";

export type SigningKey = { readonly kid: string; readonly alg: string; readonly key: CryptoKey; readonly jwk: JWK };

export async function signingKey(kid: string, alg = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

/** Without `kid` in the header when `named` is false. */
export function signed({ kid, alg, key }: SigningKey, payload: JWTPayload, named = true): Promise<string> {
  return new SignJWT(payload).setProtectedHeader(named ? { alg, kid } : { alg }).sign(key);
}

export type TokenServer = {
  readonly keysUrl: string;
  readonly introspectionUrl: string;
  /** What `/keys` shows. */
  show(...keys: readonly SigningKey[]): void;
  /** What `/introspect` says of a token; null: nothing that is JSON. */
  say(token: string, answer: Json): void;
  /** The status of every answer from now on; 0: the connection is cut. */
  status: number;
  /** Paths asked for, with the authorization. */
  readonly asked: string[];
  close(): Promise<void>;
};

export async function tokenServer(): Promise<TokenServer> {
  let keys: readonly JWK[] = [];
  const answers = new Map<string, Json>();
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    made.asked.push(`${request.url} ${request.headers.authorization ?? ""}`.trim());
    if (made.status === 0) {
      request.socket.destroy();
      return;
    }
    response.writeHead(made.status, { "content-type": "application/json" });
    if (request.url === "/keys") response.end(JSON.stringify({ keys }));
    else if (request.url === "/nonsense") response.end('{"keys": 1}');
    else response.end(JSON.stringify(answers.get(new URLSearchParams(text).get("token") ?? "") ?? { active: false }));
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: TokenServer = {
    keysUrl: `${base}/keys`,
    introspectionUrl: `${base}/introspect`,
    show: (...shown) => {
      keys = shown.map(({ jwk }) => jwk);
    },
    say: (token, said) => void answers.set(token, said),
    status: 200,
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return made;
}
