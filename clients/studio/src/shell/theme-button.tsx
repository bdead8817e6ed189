import { Monitor, Moon, Sun } from "lucide-react";
import { IconButton } from "../ui/button.tsx";
import { chooseTheme, nextTheme, useTheme } from "./theme.ts";

const ICONS = { system: Monitor, light: Sun, dark: Moon };
const NAMES = { system: "as the system", light: "light", dark: "dark" };

export function ThemeButton() {
  const theme = useTheme();
  const Icon = ICONS[theme];
  return (
    <IconButton label={`Theme: ${NAMES[theme]}`} onClick={() => chooseTheme(nextTheme(theme))}>
      <Icon />
    </IconButton>
  );
}
