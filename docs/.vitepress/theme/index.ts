import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { Mermaid } from "./mermaid.ts";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("Mermaid", Mermaid);
  },
};

export default theme;
