import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isFromParley } from './verify-signature.ts';

interface Order {
  readonly status: string;
  /** The customer whose order it is. */
  readonly customerId: string;
}

interface Skill {
  /** The secret of the skill, `whsec_…`. */
  readonly secret: string;
  readonly findOrder: (id: string) => Promise<Order | null>;
  readonly onError: (error: unknown) => void;
}

/**
 * A skill that looks up where an order is:
 *
 *     SECRET=whsec_… PORT=3000 node http-skill.ts
 *
 * The answer is for a model, which words it for the visitor; `{"say": "…"}` would be shown as it is.
 */
export function createOrderSkill({ secret, findOrder, onError }: Skill): Server {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const rawBody = await text(request);
    if (!isFromParley(secret, { headers: request.headers, rawBody, now: new Date() })) {
      response.writeHead(401).end();
      return;
    }
    const { data } = JSON.parse(rawBody);
    const order = await findOrder(data.arguments.order_id);
    // The model has read the number in a message. Only a proven identity tells whose order a visitor may see.
    const isOwn = order !== null && order.customerId === data.user?.id;
    response.setHeader('content-type', 'application/json');
    if (!isOwn) {
      response
        .writeHead(404)
        .end(JSON.stringify({ message: 'This customer has no order with that number.' }));
      return;
    }
    response.writeHead(200).end(JSON.stringify({ status: order.status }));
  };
  return createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      onError(error);
      response.writeHead(500).end();
    });
  });
}

if (import.meta.main) {
  const { SECRET = '', PORT = '3000' } = process.env;
  const orders = new Map([['A-1024', { status: 'on its way, arrives tomorrow', customerId: 'customer-7' }]]);
  const skill = createOrderSkill({
    secret: SECRET,
    findOrder: async (id) => orders.get(id) ?? null,
    onError: console.error,
  });
  skill.listen(Number(PORT), () => console.log(`Waiting for calls at http://127.0.0.1:${PORT}`));
}
