// Lints of the page: what eslint recommends, with the globals of a browser that the page uses.

import js from "@eslint/js";

const browser = [
  "atob",
  "Blob",
  "DecompressionStream",
  "document",
  "performance",
  "requestAnimationFrame",
  "ResizeObserver",
  "Response",
  "window",
];

export default [
  js.configs.recommended,
  { languageOptions: { globals: Object.fromEntries(browser.map((name) => [name, "readonly"])) } },
];
