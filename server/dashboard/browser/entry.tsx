import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Group.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Text.layer.css';
import '@mantine/core/styles/Anchor.layer.css';
import '@mantine/core/styles/Avatar.layer.css';
import '@mantine/core/styles/Button.layer.css';
import '@mantine/core/styles/List.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import '@mantine/core/styles/PinInput.layer.css';
import '@mantine/core/styles/Tooltip.layer.css';
import '@mantine/core/styles/Stack.layer.css';
import '@mantine/core/styles/Title.layer.css';
import './theme.css';
import './parts/page.css';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Begin } from './screens/sign-in/begin.tsx';
import { EntryTexts } from './screens/sign-in/entry-texts.tsx';
import { Forgot } from './screens/sign-in/forgot.tsx';
import { Invite } from './screens/sign-in/invite.tsx';
import { Recover } from './screens/sign-in/recover.tsx';
import { SignIn } from './screens/sign-in/sign-in.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

// The pages without a person are an app of their own: a person who signs in waits for nothing that they do not see yet.

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);

/** By the address below `/dashboard/`; the server sends this app for these alone. */
const screens: Readonly<Record<string, ComponentType>> = {
  'sign-in': SignIn,
  begin: Begin,
  invite: Invite,
  forgot: Forgot,
  recover: Recover,
};
const [, , name = ''] = location.pathname.split('/');
const Screen = screens[name] ?? SignIn;
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });

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
            <EntryTexts>
              <Screen />
            </EntryTexts>
          </QueryClientProvider>
        </MantineProvider>
      </DirectionProvider>
    </StrictMode>,
  );
}
