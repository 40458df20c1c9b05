import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Notifications } from './notifications.tsx';
import { OwnKeys } from './own-keys.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';
import './me.css';

/** The page about oneself: what one is called, how one signs in, where one is signed in, and how one is told of news. */
export function MePage() {
  const { texts } = useTexts();
  return (
    <Page title={texts.me.title} width="narrow">
      <Profile />
      <Password />
      <TwoFactor />
      <Passkeys />
      <Sessions />
      <Notifications />
      <OwnKeys />
    </Page>
  );
}
