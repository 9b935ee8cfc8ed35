/**
 * Runs inside the browser, in the page that frames the pages under test: measures what they show and writes it into the document, where
 * the test reads it. The pages themselves allow no script, so that they are measured from outside.
 */
addEventListener("load", () => {
  const found = [...document.querySelectorAll("iframe")].map((frame) => ({
    page: frame.name,
    ...measured(frame.contentDocument, frame.contentWindow),
  }));
  document.querySelector("#found").textContent = encodeURIComponent(JSON.stringify(found));
});

function measured(page, view) {
  return {
    title: page.title,
    language: page.documentElement.lang ?? "",
    texts: page.querySelectorAll("svg text").length,
    active: activeParts(page),
    outside: [...page.querySelectorAll("g.node, rect")].flatMap(textsOutside).concat(titlesOutside(page)),
    crossed: crossedTitles(page),
    scrollsSideways: page.documentElement.scrollWidth > view.innerWidth,
    unreachable: unreachableScrollers(page),
    faint: faintTexts(page, view),
    owned: view.owned === true,
  };
}

/** Scripts, handlers, and elements that load something. */
function activeParts(page) {
  const handlers = [...page.querySelectorAll("*")].filter((element) =>
    element.getAttributeNames().some((name) => name.startsWith("on")),
  );
  const loading = page.querySelectorAll("script, img, image, iframe, object, embed, link, use, foreignObject");
  return [...handlers, ...loading].map((element) => element.outerHTML.slice(0, 200));
}

/** Texts of a piece that reach over the edge of its shape: a group of Graphviz, or a box of a railroad diagram and what follows it. */
function textsOutside(piece) {
  const shape = piece.matches("rect") ? piece : piece.querySelector("polygon, ellipse, path");
  // The title of a frame has no shape of its own.
  if (shape === null) return [];
  const next = piece.nextElementSibling;
  const texts = piece.matches("rect") ? [next.matches("text") ? next : next.querySelector("text")] : textsOf(piece);
  return texts.filter((text) => !inside(text.getBBox(), shape)).map((text) => text.textContent);
}

const textsOf = (group) => [...group.querySelectorAll(":scope > text")];

/** Titles stand in one of the frames; which one is not said. */
function titlesOutside(page) {
  const frames = [...page.querySelectorAll("g.cluster > polygon")];
  return titlesOf(page)
    .filter((text) => !frames.some((frame) => inside(text.getBBox(), frame)))
    .map((text) => text.textContent);
}

const titlesOf = (page) =>
  [...page.querySelectorAll("g.node")].filter((node) => node.childElementCount === 1).flatMap(textsOf);

/** Titles that a point of an arrow lies in. */
function crossedTitles(page) {
  const points = [...page.querySelectorAll("g.edge > path")].flatMap((path) => {
    const length = path.getTotalLength();
    return Array.from({ length: Math.ceil(length / STEP) }, (_, at) => path.getPointAtLength(at * STEP));
  });
  return titlesOf(page)
    .filter((title) => {
      const { x, y, width, height } = title.getBBox();
      return points.some((point) => point.x > x && point.x < x + width && point.y > y && point.y < y + height);
    })
    .map((title) => title.textContent);
}

/** Less than a line is high. */
const STEP = 6;

/** Both ends of the text at half its height: corners of a line are as high as its tallest letter could be. */
function inside({ x, y, width, height }, shape) {
  return [x, x + width].every((at) => shape.isPointInFill(new DOMPoint(at, y + height / 2)));
}

function unreachableScrollers(page) {
  const scrollers = [...page.querySelectorAll("body *")].filter(
    (element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === "auto",
  );
  return scrollers.filter(({ tabIndex }) => tabIndex < 0).map((element) => element.outerHTML.slice(0, 80));
}

/** Texts with less contrast than WCAG AA asks for. */
function faintTexts(page, view) {
  if (page.body === null) return [];
  const paper = page.body.appendChild(page.createElement("i"));
  paper.style.background = "Canvas";
  const canvas = view.getComputedStyle(paper).backgroundColor;
  paper.remove();
  const styleOf = (element) => view.getComputedStyle(element);
  const backgroundOf = (element) => {
    if (element === null) return canvas;
    const { backgroundColor } = styleOf(element);
    return backgroundColor === "rgba(0, 0, 0, 0)" ? backgroundOf(element.parentElement) : backgroundColor;
  };
  const written = [...page.querySelectorAll("h1, h2, p, li, td, th, label")].map((element) => ({
    element,
    ratio: contrast(styleOf(element).color, backgroundOf(element)),
  }));
  const drawn = [...page.querySelectorAll("svg text")].map((element) => {
    const box = boxOf(element);
    const fill = box === null ? "none" : styleOf(box).fill;
    const paper = fill === "none" ? backgroundOf(element.closest("figure, div")) : fill;
    return { element, ratio: contrast(styleOf(element).fill, paper) };
  });
  return [...written, ...drawn]
    .filter(({ ratio }) => ratio < 4.5)
    .map(({ element }) => element.outerHTML.slice(0, 120));
}

/** The shape that a text stands in; titles and texts of arrows stand on the paper. */
function boxOf(text) {
  const piece = text.closest("g.node, g.edge");
  if (piece === null) return (text.closest("a") ?? text).previousElementSibling;
  return piece.matches("g.node") ? piece.querySelector("polygon, ellipse, path") : null;
}

function contrast(one, other) {
  const [bright, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(color) {
  const [red, green, blue] = color.match(/[\d.]+/g).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
