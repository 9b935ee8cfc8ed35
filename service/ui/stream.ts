/**
 * Server-sent events of the service, while the page can be seen: a browser opens few connections to one origin, and a hidden tab
 * must not hold one. The browser reconnects where it lost the connection; where the service answered with an error, a new stream is opened.
 */
const RECONNECT_MS = 2000;

type Heard = {
  /** By the name of the event. */
  readonly on: Readonly<Record<string, (data: string) => void>>;
  /** A stream begins, the first one or one after a break: what came in between was not heard. */
  readonly opened?: () => void;
  readonly broken?: () => void;
  /** The event after which nothing more comes. */
  readonly last?: string;
};

/** Returns the way to stop. */
export function follow(path: string, { on, opened, broken, last }: Heard): () => void {
  const lost = () => broken?.();
  let events: EventSource | null = null;
  let timer = 0;
  const close = () => {
    clearTimeout(timer);
    events?.close();
    events = null;
  };
  const open = () => {
    const source = new EventSource(path);
    events = source;
    if (opened !== undefined) source.addEventListener("open", opened);
    for (const [name, heard] of Object.entries(on)) source.addEventListener(name, ({ data }) => heard(data));
    if (last !== undefined) source.addEventListener(last, stop);
    source.addEventListener("error", () => {
      lost();
      if (source.readyState === EventSource.CLOSED) timer = window.setTimeout(open, RECONNECT_MS);
    });
  };
  const look = () => {
    if (document.visibilityState === "hidden") close();
    else if (events === null) open();
  };
  const stop = () => {
    document.removeEventListener("visibilitychange", look);
    removeEventListener("offline", lost);
    close();
  };
  document.addEventListener("visibilitychange", look);
  // A connection over a network that is gone breaks only after minutes.
  addEventListener("offline", lost);
  look();
  return stop;
}
