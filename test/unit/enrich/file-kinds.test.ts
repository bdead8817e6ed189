import { expect, it } from "vitest";
import { fileLayers } from "../../../src/enrich/file-layers.ts";
import type { Layers } from "../../../src/enrich/layers.ts";
import { parse } from "../../../src/ingest/parse/parse.ts";

const layersOf = async (name: string, text: string): Promise<Layers> =>
  fileLayers(await parse(name, Buffer.from(text)), name);
const abstractOf = async (name: string, text: string): Promise<string> =>
  (await layersOf(name, text)).abstract;

it.each([
  [
    "form.mjs",
    '// src/form.ts\nexport * from "@quay/form";\n//# x',
    "form.mjs: exports everything from @quay/form.",
  ],
  [
    "bundle.js",
    '"use strict";\nvar __copy = (a) => { return a };\nmodule.exports = __toCommonJS(src);\n0 && (module.exports = {\n  Slider,\n  Thumb\n});\n',
    "bundle.js: exports Slider and Thumb.",
  ],
  [
    "walk.mjs",
    "let walk = ({ forEach: function(f) {}, slice() {} });\nfunction hidden() {}\nexport default walk;\n",
    "walk.mjs: exports forEach and slice.",
  ],
  [
    "icon.js",
    "/**\n * @license quay v1 - ISC\n *\n * This source code is licensed under the ISC license.\n */\nconst Icon = 1;\nexport { Icon as default };\n",
    "icon.js: exports Icon.",
  ],
  [
    "drop.js",
    "/** Drops the first elements of a list. */\nexport function drop(list, n) {}\n",
    "drop.js: Drops the first elements of a list.",
  ],
  [
    "gate-open.mjs",
    '/** @license quay v1 */\nexport { default } from "./open-gate.mjs";\n',
    "gate-open.mjs: exports the default of ./open-gate.mjs.",
  ],
  [
    "tide.h",
    "/* SPDX-License-Identifier: MIT */\n/* tide.h - Tables of the tide */\n\n/* Written 1995-1999 by A. Quay */\n#ifndef T\n",
    "tide.h: Tables of the tide.",
  ],
  ["sums.py", "def add(a, b):\n    return a\ndef _hidden(): pass\n", "sums.py: defines add."],
])("the abstract of the module %s names what it exports or defines", async (name, text, abstract) => {
  expect(await abstractOf(name, text)).toBe(abstract);
});

it.each([
  [
    "check.sh",
    "#!/bin/bash\nout=$(/usr/sbin/pkgutil --info x)\necho $out | grep y\n",
    "check.sh: shell script that runs pkgutil.",
  ],
  [
    "copy.sh",
    "#!/bin/sh\n# Copyright 2024 Quay\n\n# Copies the data folder.\ncp a b\n",
    "copy.sh: Copies the data folder.",
  ],
  [
    "train.sh",
    "#!/bin/sh\n# Copyright (c) 2008, A. Quay\n# Trains the tide model from logs\nme=train\n",
    "train.sh: Trains the tide model from logs.",
  ],
  [
    "usage.sh",
    "#!/bin/sh\nUSAGE=$(cat <<-EOF\nusage me\nhoist x\nEOF\n)\npilot --all\n",
    "usage.sh: shell script that runs pilot.",
  ],
  [
    "quayd.sh",
    "#!/bin/sh\n# LSB Tags\n### BEGIN INIT INFO\n# Provides:          quayd\n# Required-Start:    $local_fs $network\n# Default-Start:     2 3 4 5\n# Short-Description: Starts the harbour daemon\n### END INIT INFO\nexit 0\n",
    "quayd.sh: Starts the harbour daemon.",
  ],
])("the abstract of the script %s is its comment or what it runs", async (name, text, abstract) => {
  expect(await abstractOf(name, text)).toBe(abstract);
});

it.each([
  [
    "records.h",
    "//===- records.h - Flight recorder records -------*- C++ -*-===//\n//\n// Part of a project, under the Apache License.\n//\n//===----===//\n#ifndef RECORDS_H\n#define RECORDS_H\nint f(void);\n#endif\n",
    "records.h: Flight recorder records.",
  ],
  [
    "list.h",
    "// <list.h> -*- C++ -*-\n\n// Copyright (C) 2020 Quay\n\n#ifndef LIST_H\n#define LIST_H\n#define LIST_PACK(a, b) \\\n  ((a) + (b))\nint list_size(void);\n#endif\n",
    "list.h: declares list_size and LIST_PACK.",
  ],
])(
  "the abstract of the header %s needs neither mode lines nor include guards",
  async (name, text, abstract) => {
    expect(await abstractOf(name, text)).toBe(abstract);
  },
);

it.each([
  [
    "Buoy.pm",
    "# -*- Mode: cperl; coding: utf-8 -*-\npackage Buoy;\nsub new { }\n1;\n\n=head1 NAME\n\nBuoy - read B<buoys> at sea\n\n=head1 DESCRIPTION\n\nReads the L<buoys|Sea::Buoy>.\n\n=cut\n",
    "Buoy: read buoys at sea.",
  ],
  [
    "Plain.pm",
    "# -*- Mode: cperl -*-\n# vim: ts=4\npackage Plain;\nsub ro { }\nsub rw { }\n1;\n",
    "Plain.pm: defines ro and rw.",
  ],
])(
  "the abstract of the Perl file %s is its documentation, otherwise its functions",
  async (name, text, abstract) => {
    expect(await abstractOf(name, text)).toBe(abstract);
  },
);

it.each([
  [
    "package.json",
    '{"name":"@quay/shared","version":"1.0.0","dependencies":{"rfdc":"1"}}',
    "package.json: npm package @quay/shared, which depends on rfdc.",
  ],
  [
    "package.json",
    '{"type":"module"}',
    "package.json: marks the JavaScript files of its folder as ES modules.",
  ],
  [
    "Cargo.toml",
    '[package]\nname = "uuid"\ndescription = """\nMakes unique\nidentifiers."""\n',
    "Cargo.toml: Rust crate uuid: Makes unique identifiers.",
  ],
  ["pyproject.toml", '[project]\nname = "quay"\n', "pyproject.toml: Python package quay."],
  [
    "ci.yml",
    "name: CI\non: [push, pull_request]\njobs:\n  lint:\n    runs-on: x\n  test:\n    runs-on: x\n",
    "ci.yml: GitHub workflow CI with the jobs lint and test.",
  ],
  [
    "docker-compose.yml",
    "services:\n  web:\n    image: x\n  db:\n    image: y\n",
    "docker-compose.yml: Docker Compose file with the services web and db.",
  ],
  [
    "tsconfig.json",
    '{"compilerOptions":{"target":"es2022","strict":true}}',
    "tsconfig.json: TypeScript compiler options with target es2022 and strict checks.",
  ],
  [
    "flags.json",
    '[{"name":"a","switch":"b"},{"name":"c","switch":"d"}]',
    "flags.json: 2 records with the fields name and switch.",
  ],
  [
    "eu.json",
    '{"lang":"eu","rules":{"a":"bat bi","b":"hiru lau","c":"bost sei"}}',
    "eu.json: texts in Basque for rules.",
  ],
  [
    "rtf.xml",
    '<mime-type type="application/rtf"><comment xml:lang="de">Dokument</comment><comment>RTF document</comment></mime-type>',
    "rtf: RTF document (mime-type application/rtf).",
  ],
  [
    "books.xml",
    "<catalog><book/><book/><book/><author/></catalog>",
    "books: catalog with 3 book elements, and author.",
  ],
  ["quay.conf", "# Settings of the quay.\n\nport = 1\n", "quay.conf: Settings of the quay."],
])("the abstract of the data file %s with %j says what it is", async (name, text, abstract) => {
  expect(await abstractOf(name, text)).toBe(abstract);
});

it.each([
  [
    "2.8.txt",
    "Git v2.8.5 Release Notes\n========================\n\nFixes since v2.8.4\n------------------\n\n * The shell rejects a name that begins with a dash.\n",
    "Release notes of Git 2.8.5: Fixes since v2.8.4.",
  ],
  [
    "CHANGELOG.md",
    "# Changelog\n\n## [v1.2.0](https://a.example/x) - 2024-12-03\n\n- Added x.\n",
    "CHANGELOG: changes by version, newest v1.2.0 (2024-12-03).",
  ],
  [
    "MockAgent.md",
    "# Class: MockAgent\n\nExtends: `undici.Dispatcher`\n\nA mocked class that implements the Agent API.\n",
    "MockAgent: A mocked class that implements the Agent API.",
  ],
  [
    "README.md",
    "# Quay Router\n\nSee [https://quay.example/router](https://quay.example/router) for documentation.\n",
    "Quay Router",
  ],
  [
    "README.md",
    "# pg-edge\n\n`pg-edge` makes it easier to take an existing package that relies on `tls` and `net`, and make it work in environments where only `connect()` is supported.\n",
    "pg-edge makes it easier to take an existing package that relies on tls and net, and make it work in environments where only connect is supported.",
  ],
  [
    "Closures.html",
    "<html><head><title>Closures (libquay: the portable interface library)</title><meta name='description' content='Closures (libquay: the portable interface library)'></head><body><p>Next: <a href='x.html'>Features</a>, Up: <a href='y.html'>Top</a> [<a>Contents</a>]</p><h3>2 Closures</h3><p>A closure is a function that is made at run time.</p></body></html>",
    "Closures (libquay): A closure is a function that is made at run time.",
  ],
])(
  "the abstract of the document %s with %j is a whole sentence about its subject",
  async (name, text, abstract) => {
    expect(await abstractOf(name, text)).toBe(abstract);
  },
);

it("the overview of release notes lists the first changes below each heading", async () => {
  const notes = "Quay 1.2 Release Notes\n======================\n\nFixes\n-----\n\n * One.\n\n * Two.\n";
  expect((await layersOf("1.2.txt", notes)).overview).toBe(
    "# Quay 1.2 Release Notes\n\nRelease notes of Quay 1.2: Fixes.\n\n- Fixes\n    - One.\n    - Two.",
  );
});

it("a hard line break and the target of a reference leave no marks in an abstract", async () => {
  const text = "(harbour-news)=\n# News\n\nThe harbour is a place for boats\\\nand for their crews.\n";
  expect(await abstractOf("news.md", text)).toBe(
    "News: The harbour is a place for boats and for their crews.",
  );
});

it("the abstract of a generated header does not say that it is generated", async () => {
  const text = "/* THIS IS A GENERATED FILE\n *\n * Do not change!\n */\nint quay_open(void);\n";
  expect(await abstractOf("quay.h", text)).toContain("quay_open");
});

it.each([
  [
    "pages.html",
    '<title>Types (harbour)</title><p>Next: <a href="b">Berths</a>, Up: <a href="i">Index</a></p><h3>2 Types</h3><ul><li><a href="s">Sloops</a></li><li><a href="k">Ketches</a></li></ul>',
    "Types (harbour): Sloops and Ketches.",
  ],
  [
    "vectors.md",
    "> Quay pages are the current reference. Trust them.\n\n# Vectors\n\nA vector store keeps the vectors of a harbour.\n",
    "A vector store keeps the vectors of a harbour.",
  ],
  [
    "tide.gschema.xml",
    '<schemalist><schema id="org.quay.tide"><key name="age"><summary>Maximum age in days</summary></key></schema></schemalist>',
    "tide gschema: schemalist with schema org.quay.tide and key age.",
  ],
])(
  "the abstract of %s leaves out notices, links to neighbours and texts about a part",
  async (name, text, abstract) => {
    expect(await abstractOf(name, text)).toBe(abstract);
  },
);

it("a change in the overview of release notes is a whole sentence without the label of its group", async () => {
  const long = `${"The pilot of the harbour no longer loses a ship that waits outside of the breakwater, ".repeat(2)}and all tables were made anew.`;
  const { abstract, overview } = await layersOf(
    "2.1.txt",
    `Quay v2.1 Release Notes\n=======================\n\nFixes since v2.0\n----------------\n\n(pilots)\n\n * ${long} See the manual.\n`,
  );
  expect(abstract).toBe("Release notes of Quay 2.1: Fixes since v2.0.");
  expect(overview).not.toMatch(/…|\(pilots\)|See the manual/);
});
