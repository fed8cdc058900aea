// What the JavaScript of the pages and of the examples is held to.

import js from "@eslint/js";
import globals from "globals";

// Texts of games and of people are shown as texts: nothing a page is told may become markup or code. The server's
// Content-Security-Policy refuses inline styles, too.
const AS_TEXT = "texts are shown by h() and fill() of dom.js, never as markup";
const MARKUP = ["innerHTML", "outerHTML", "srcdoc"].map((name) => ({
  selector: `AssignmentExpression[left.property.name='${name}']`,
  message: AS_TEXT,
}));
const WRITERS = ["insertAdjacentHTML", "setHTMLUnsafe", "createContextualFragment", "parseFromString"].map((name) => ({
  selector: `CallExpression[callee.property.name='${name}']`,
  message: AS_TEXT,
}));
const STYLES = [
  {
    selector: "CallExpression[callee.property.name='setAttribute'][arguments.0.value='style']",
    message: "the Content-Security-Policy refuses it: use element.style.setProperty",
  },
  {
    selector: "CallExpression[callee.name=/^(h|svg)$/] > ObjectExpression > Property[key.name='style']",
    message: "the Content-Security-Policy refuses it: use element.style.setProperty",
  },
];

export default [
  { ignores: [".venv/", "docs/", "node_modules/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-restricted-properties": ["error", ...["write", "writeln"].map((property) => ({ object: "document", property, message: AS_TEXT }))],
      "no-restricted-syntax": ["error", ...MARKUP, ...WRITERS, ...STYLES],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_$" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  { files: ["src/facedown/web/js/*.js"], languageOptions: { sourceType: "module", globals: globals.browser } },
  {
    files: ["examples/*.js"],
    languageOptions: { sourceType: "commonjs", globals: { ...globals.node, WebSocket: "readonly" } },
    rules: { "no-console": "off" },
  },
];
