import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Tooltip } from "radix-ui";
import { queryClient } from "../api/query-client.ts";
import { Gate } from "../identity/gate.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { router } from "./router.tsx";

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Tooltip.Provider delayDuration={400}>
        <Gate>
          <RouterProvider router={router} />
        </Gate>
        <Toasts />
      </Tooltip.Provider>
    </QueryClientProvider>
  );
}
