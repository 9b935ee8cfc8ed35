/**
 * Adapters that a log or the mocks of a test name and this host does not have: a plugin of another machine, an adapter of the predecessor.
 * Their calls are answered without them, so the program may name them. Their facts are the worst, as policies see them.
 */

import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { builtinSettings } from "../../compiler/catalog/settings.ts";
import { type AdapterEntry, findAdapter } from "../../compiler/catalog.ts";
import { openHost } from "../session/host.ts";
import type { Session } from "../session/session.ts";

const NAME = /^[a-z][a-z0-9_-]{0,63}$/;

/** The session with an entry for each of `names` that its catalog does not know. */
export function withStandIns(session: Session, names: Iterable<string>): Session {
  const { catalog } = session.host;
  const unknown = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    if (findAdapter(catalog, lower) === undefined && NAME.test(lower)) unknown.add(lower);
  }
  if (unknown.size === 0) return session;
  const known = session.adapters ?? {
    entries: builtinAdapters,
    settings: builtinSettings,
    plugins: [],
    deciders: [],
    warnings: [],
    close: async () => {},
  };
  const adapters = { ...known, entries: [...known.entries, ...[...unknown].sort().map(standIn)] };
  return { ...session, adapters, host: openHost(session.io, session.environment, adapters) };
}

function standIn(name: string): AdapterEntry {
  return {
    name,
    support_tier: "extension_ecosystem",
    effect_default: "io",
    recommended_lane: "noncanonical",
    privilege_tier: "operator_sensitive",
    destructive: true,
    network_facing: true,
    sandbox_safe: false,
    durable: true,
    open_verbs: true,
    verbs: [],
    aliases: {},
  };
}
