import '@fontsource-variable/geist-mono/wght.css';
import '@fontsource-variable/inter/wght.css';
import './mantine-styles.ts';
import '@mantine/dropzone/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './theme.css';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './api/problem.ts';
import { listenToKeys } from './keys/registry.ts';
import { createAppRouter } from './routes.tsx';
import { TextsProvider } from './texts/texts.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// Menus and dialogs write styles as well, so they get the nonce before anything is drawn.
setNonce(nonce);

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The server refuses a bad request again; a lost connection may be back.
      retry: (count, error) =>
        count < 2 && !(error instanceof Problem && error.status >= 400 && error.status < 500),
    },
    mutations: { retry: false },
  },
});
const router = createAppRouter(queries);
listenToKeys(window);

const root = document.getElementById('app');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <DirectionProvider>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariablesResolver}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce}
        >
          <QueryClientProvider client={queries}>
            <TextsProvider>
              <Notifications position="bottom-center" limit={1} />
              <RouterProvider router={router} />
            </TextsProvider>
          </QueryClientProvider>
        </MantineProvider>
      </DirectionProvider>
    </StrictMode>,
  );
}
