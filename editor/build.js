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

/** The digest of all sources. tests/test_editor_bundle.py computes it, too. */
function digest() {
  return sha256(inputs.map((name) => `${name} ${sha256(readFileSync(name))}\n`).join(""));
}

/** Writes a bundle of a source file and what it imports, and the licenses of the packages in it. */
async function bundle(name) {
  const { metafile } = await build({
    entryPoints: [`src/${name}.js`],
    outfile: `${OUT}/${name}.js`,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    banner: { js: `/* make editor: ${digest()}; licences: ${name}.LICENSES.txt */` },
  });
  const packages = new Set(
    Object.keys(metafile.inputs).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const notices = [...packages].sort().map((dependency) => {
    const folder = `node_modules/${dependency}`;
    const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`));
    return `${dependency} ${version} (${license})\n\n${readFileSync(`${folder}/LICENSE`, "utf8").trim()}\n`;
  });
  const text = `${name}.js contains:\n\n${notices.join(`\n${"-".repeat(72)}\n\n`)}`;
  writeFileSync(`${OUT}/${name}.LICENSES.txt`, text);
}

await bundle("editor");
await bundle("suggestions");
