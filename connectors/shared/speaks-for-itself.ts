import type { Connector } from '../../core/contract/connector.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';

/** What a channel is whose visitors speak with a server of ours themselves. */
export function speaksForItself<Settings>(): Omit<Connector<object, Settings>, 'manifest'> {
  return {
    intakeOf: () => 'none',
    webhook: null,
    listen: null,
    probe: async () => ({}),
    normalise: () => [{ type: 'unsupported', nativeType: 'none' }],
    render: ({ text }) => [{ content: text }],
    async deliver() {
      throw new ConnectorError('Visitors of this channel fetch what is said themselves.', {
        advice: { retry: 'never' },
      });
    },
    budgets: () => [],
    facets: {},
  };
}
