import type { DefaultTheme } from "vitepress";

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

const CLIENTS = ["TypeScript", "Python", "Go", "Java", "Rust"];
const SERVICES =
  "Account Backup Content Filesystem Memory Observer Pack Relation Resource Search Session Skill System Task".split(
    " ",
  );

/** The order in which the site is read. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  page("Why ctxdb", "/why"),
  page("The first two minutes", "/start"),
  page("Concepts", "/concepts"),
  page("Tutorial", "/tutorial"),
  {
    text: "Recipes",
    link: "/recipes/",
    collapsed: false,
    items: [
      page("A documentation assistant", "/recipes/documentation-assistant"),
      page("Chat memory", "/recipes/chat-memory"),
      page("A coding agent", "/recipes/coding-agent"),
      page("Many tenants", "/recipes/many-tenants"),
    ],
  },
  {
    text: "Operations",
    link: "/operations",
    collapsed: false,
    items: [
      page("Deployment", "/deploy"),
      page("Settings", "/settings"),
      page("Metrics, logs, traces", "/metrics"),
      page("Limits", "/limits"),
    ],
  },
  {
    text: "Guides and reference",
    collapsed: false,
    items: [
      page("API guide", "/api"),
      {
        text: "API reference",
        link: "/reference/",
        collapsed: true,
        items: SERVICES.map((name) => page(name, `/reference/${name.toLowerCase()}`)),
      },
      page("Command line", "/cli"),
      page("Coding agents", "/agents"),
      page("MCP", "/mcp"),
      page("Agents of OpenViking", "/openviking"),
      {
        text: "Clients",
        link: "/clients",
        collapsed: true,
        items: CLIENTS.map((name) => page(name, `/clients/${name.toLowerCase()}/`)),
      },
      page("Gateway", "/gateway"),
      page("WebDAV", "/webdav"),
      page("Adapters", "/adapters"),
      page("Sources", "/sources"),
      page("Formats", "/formats"),
      page("Retrieval", "/retrieval"),
      page("Performance", "/performance"),
      page("Memory", "/memory"),
      page("Language models", "/language-model"),
      page("Glossary", "/glossary"),
      page("Changelog", "/CHANGELOG"),
    ],
  },
  {
    text: "Appendix: the inside",
    collapsed: true,
    items: [
      page("Architecture", "/architecture"),
      page("Storage and index", "/storage"),
      page("Decisions", "/decisions/"),
      page("Rulings for implementers", "/rulings"),
      page("Contributing", "/CONTRIBUTING"),
      page("Shared client scenarios", "/clients/scenarios"),
      page("Studio", "/clients/studio/"),
    ],
  },
];
