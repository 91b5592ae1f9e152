// The shared worker: one stream for all tabs.
const tabs = new Map();
const hub = new EventHub((told) => {
  for (const { port, topic } of tabs.values()) if (told.again || topic === told.topic) port.postMessage(told);
});
self.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data.kind === "leave") tabs.delete(data.id);
    else tabs.set(data.id, { port, topic: data.topic });
    hub.receive(data);
    for (const id of tabs.keys()) if (!hub.members.has(id)) tabs.delete(id);
  };
};
