import net from 'node:net';
import { neonConfig } from '@neondatabase/serverless';
import { createClient } from '@vercel/postgres';
import { createWebSocketStream, WebSocket, WebSocketServer } from 'ws';

export interface WebSocketProxy {
  /** Host, port and path, as `neonConfig.wsProxy` gives them. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Speaks to a server for clients of Neon: the bytes of PostgreSQL's protocol as messages of a WebSocket, one connection for each. */
export async function startWebSocketProxy(port: number): Promise<WebSocketProxy> {
  const proxy = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  proxy.on('connection', socket => {
    const client = createWebSocketStream(socket);
    const server = net.connect(port, '127.0.0.1');
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => socket.terminate()).on('close', () => socket.terminate());
    client.pipe(server).pipe(client);
  });
  await new Promise(resolve => proxy.once('listening', resolve));
  const { port: own } = proxy.address() as net.AddressInfo;
  return {
    address: `127.0.0.1:${own}/v1`,
    stop: () => new Promise(resolve => {
      for (const socket of proxy.clients) socket.terminate();
      proxy.close(() => resolve());
    }),
  };
}

/** From here on, and for all clients: those of `@neondatabase/serverless`, and those of the copy that `@vercel/postgres` brings along. */
export function sendNeonThrough({ address }: WebSocketProxy): void {
  // A client's settings are its socket, whose class has those of all clients.
  const ofVercel = createClient({ connectionString: 'postgres://user:password@localhost/any' }).neonConfig.constructor as unknown as typeof neonConfig;
  for (const settings of [neonConfig, ofVercel]) {
    Object.assign(settings, { wsProxy: () => address, webSocketConstructor: WebSocket, useSecureWebSocket: false, pipelineConnect: false });
  }
}
