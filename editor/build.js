// Bundles src/ into the registry's static files, with the licenses of its contents.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));
const OUT = "../static/registry/js";
const sources = readdirSync("src").map((name) => `src/${name}`);
const inputs = ["build.js", "package-lock.json", "package.json", ...sources].sort();

function sha256(content) {
  return createHash("sha256").update(content).digest("hex");
}

/** The digest of all sources of the bundle. tests/test_editor_bundle.py computes it, too. */
function digest() {
  return sha256(inputs.map((name) => `${name} ${sha256(readFileSync(name))}\n`).join(""));
}

const { metafile } = await build({
  entryPoints: ["src/editor.js"],
  outfile: `${OUT}/editor.js`,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  banner: { js: `/* make editor: ${digest()}; licences: editor.LICENSES.txt */` },
});

const packages = new Set(
  Object.keys(metafile.inputs).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
);
const notices = [...packages].sort().map((name) => {
  const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`));
  return `${name} ${version} (${license})\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync(`${OUT}/editor.LICENSES.txt`, `editor.js contains:\n\n${notices.join(`\n${"-".repeat(72)}\n\n`)}`);
