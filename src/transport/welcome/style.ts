/** Styles of the page at `/`: light and dark by the system's setting, usable from a width of 320 pixels. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566173; --paper: #f7f8fa; --card: #fff; --line: #d9dee6; --link: #0b57c2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6eaf0; --soft: #a2adbd; --paper: #12161c; --card: #1a2029; --line: #313a47; --link: #86b5ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
h1 small { font-size: 1rem; font-weight: 400; color: var(--soft); }
h2 { margin: 2.25rem 0 .5rem; font-size: 1.15rem; }
p { margin: .5rem 0; }
.soft { color: var(--soft); }
a { color: var(--link); text-underline-offset: .2em; }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .75rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
li a { display: inline-block; font-weight: 600; min-height: 1.5rem; }
li span { display: block; color: var(--soft); font-size: .9rem; }
pre { margin: .5rem 0; padding: .9rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
code { overflow-wrap: anywhere; font: .875rem/1.6 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
`;
