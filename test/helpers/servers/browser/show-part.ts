import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { useBundler } from '../../../../server/pages/bundler.ts';

const browserFolder = resolve(import.meta.dirname, '../../../../server/dashboard/browser');

/**
 * Draws a part of the dashboard in place of its screens, with the providers around it. `source` is the body of a module in
 * the browser folder that exports `Shown`.
 */
export async function showPart(page: Page, address: string, source: string): Promise<void> {
  const { outputFiles } = await useBundler(({ build }) =>
    build({
      stdin: {
        contents: `${source}\n${frame}`,
        resolveDir: browserFolder,
        loader: 'tsx',
        sourcefile: 'shown.tsx',
      },
      bundle: true,
      format: 'esm',
      write: false,
      outdir: '/',
      minify: true,
      jsx: 'automatic',
      loader: { '.woff2': 'empty' },
    }),
  );
  const script = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  await page.route('**/dashboard/assets/main-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  await page.goto(`${address}/dashboard/parts`);
}

const frame = `
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { setNonce } from 'get-nonce';
import { TextsProvider } from './texts/texts.tsx';
import { cssVariablesResolver, theme } from './theme.ts';
const nonce = document.querySelector('meta[property="csp-nonce"]').nonce;
setNonce(nonce);
createRoot(document.getElementById('app')).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto" getStyleNonce={() => nonce}>
    <QueryClientProvider client={new QueryClient()}>
      <TextsProvider><main style={{ padding: 24, maxWidth: 760, background: 'var(--p-panel)' }}><Shown /></main></TextsProvider>
    </QueryClientProvider>
  </MantineProvider>,
);
`;
