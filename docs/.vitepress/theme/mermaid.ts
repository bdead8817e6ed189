import { useData } from "vitepress";
import { defineComponent, h, onMounted, ref, watch } from "vue";

let drawn = 0;

/** A diagram, drawn in the browser by the bundled Mermaid; its source where scripts are off. */
export const Mermaid = defineComponent({
  props: { source: { type: String, required: true } },
  setup(props) {
    const source = decodeURIComponent(props.source);
    const svg = ref("");
    const { isDark } = useData();
    const draw = async () => {
      const { default: mermaid } = await import("mermaid");
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: "strict",
        theme: isDark.value ? "dark" : "neutral",
        // labels in HTML would be measured without the styles of the page and cut
        htmlLabels: false,
        flowchart: { htmlLabels: false },
      });
      svg.value = (await mermaid.render(`diagram-${drawn++}`, source)).svg;
    };
    onMounted(() => {
      watch(isDark, draw, { immediate: true });
    });
    return () =>
      svg.value === "" ? h("pre", source) : h("figure", { class: "diagram", innerHTML: svg.value });
  },
});
