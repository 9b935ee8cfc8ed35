/** Put into every page of the console before its own script: what tests measure from inside of a page. */
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  globalThis.reportFault(`policy: ${violatedDirective} ${blockedURI}`),
);

function painted() {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = resolve;
    requestAnimationFrame(() => channel.port2.postMessage(null));
  });
}

globalThis.consoleProbe = {
  /** Scrolls a list by more than it shows, and resolves when the frame was painted. */
  scroll(box) {
    box.scrollTop += 997;
    return painted();
  },

  /** Draws a copy of what a list shows next to it, and resolves when the frame was painted. */
  redraw(box) {
    document.getElementById("redrawn")?.remove();
    const copy = box.cloneNode(true);
    copy.id = "redrawn";
    box.after(copy);
    return painted();
  },

  /** Marks what can be used, and says how many there are. */
  mark() {
    const usable = "a[href], button:not(:disabled), input, select, textarea, summary, [tabindex='0'], .editor";
    const shown = [...document.querySelectorAll(usable)].filter((one) => one.tabIndex >= 0 && one.checkVisibility());
    for (const one of shown) one.dataset.left = "";
    document.activeElement?.blur();
    return shown.length;
  },

  /** Takes the mark off what has the focus. Returns it where the focus cannot be seen, else null. */
  visit() {
    const one = document.activeElement;
    if (one === null || one === document.body) return null;
    delete one.dataset.left;
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    const isMarked = one.shadowRoot !== null || (outlineStyle !== "none" && outlineWidth !== "0px");
    return isMarked ? null : one.outerHTML.slice(0, 100);
  },

  /** What was not visited. */
  left: () => [...document.querySelectorAll("[data-left]")].map(({ outerHTML }) => outerHTML.slice(0, 100)),
};
