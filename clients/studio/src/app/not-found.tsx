import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { Page } from "../ui/layout.tsx";
import { Empty } from "../ui/states.tsx";

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty icon={Compass} title="There is no such page">
        <Link to="/" className="text-accent underline">
          Go to Home
        </Link>
      </Empty>
    </Page>
  );
}
