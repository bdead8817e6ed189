import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The server that `vite` and `vite preview` pass calls on to. */
const server = process.env.CTXDB_ADDRESS ?? "http://127.0.0.1:1933";
const proxy = { "^/(?!studio(/|$))": { target: server } };

/** The policy of the ctxdb server, so that `vite preview` shows what it would block. */
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

export default defineConfig({
  root: file("."),
  base: "/studio/",
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: {
      // Radix locks the page's scrolling by a <style> element, which the policy forbids; this one writes the same rules by CSSOM.
      "react-style-singleton": file("src/ui/style-singleton.ts"),
      // its build for browsers needs a document, which workers do not have
      "decode-named-character-reference": fileURLToPath(import.meta.resolve("decode-named-character-reference")),
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
  preview: { port: 1934, proxy, headers: { "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff" } },
});
