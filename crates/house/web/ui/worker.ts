// The shared worker: one stream for all tabs.
import { EventHub, type TabMessage } from "./stream";

interface Tab {
  readonly port: MessagePort;
  readonly topic: string;
}

const tabs = new Map<string, Tab>();
const hub = new EventHub((told) => {
  for (const { port, topic } of tabs.values()) if (told.again || topic === told.topic) port.postMessage(told);
});
// The global scope of a shared worker.
const scope = self as unknown as { onconnect: ((event: MessageEvent) => void) | null };
scope.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === "leave") tabs.delete(data.id);
    else tabs.set(data.id, { port, topic: data.topic ?? "" });
    hub.receive(data);
    for (const id of tabs.keys()) if (!hub.members.has(id)) tabs.delete(id);
  };
};
