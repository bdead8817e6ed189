import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const brotli = promisify(brotliCompress);

/** The server to which `vite` and `vite preview` forward calls. */
const server = process.env.CTXDB_ADDRESS ?? "http://127.0.0.1:1933";
const proxy = { "^/(?!studio(/|$))": { target: server } };

/** The ctxdb server's content security policy, so that `vite preview` shows what it would block. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Compresses the files that browsers load, to save the server that work: `name.br` next to each file. */
const compressed = (): Plugin => ({
  name: "compressed",
  apply: "build",
  async closeBundle() {
    const folder = file("../../dist/studio");
    const names = await readdir(folder, { recursive: true });
    const texts = names.filter((name) => /\.(?:js|css|html|svg)$/.test(name));
    await Promise.all(
      texts.map(async (name) => {
        const path = join(folder, name);
        await writeFile(`${path}.br`, await brotli(await readFile(path)));
      }),
    );
  },
});

export default defineConfig({
  root: file("."),
  base: "/studio/",
  plugins: [react(), tailwindcss(), compressed()],
  resolve: {
    alias: {
      // Radix locks the page's scrolling with a <style> element, which the policy forbids; this module sets
      // the same rules through CSSOM.
      "react-style-singleton": file("src/ui/style-singleton.ts"),
      // its browser build needs a document, which workers lack
      "decode-named-character-reference": fileURLToPath(
        import.meta.resolve("decode-named-character-reference"),
      ),
    },
  },
  build: {
    outDir: file("../../dist/studio"),
    emptyOutDir: true,
    target: "es2023",
    // the polyfill and data: URLs would need a weaker policy
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  worker: { format: "es" },
  server: { port: 1934, proxy },
  preview: {
    port: 1934,
    proxy,
    headers: { "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff" },
  },
});
