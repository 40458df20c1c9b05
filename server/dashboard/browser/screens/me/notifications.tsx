import { Checkbox, Group, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type NotificationChoice, useChangeMe, useMe } from '../../api/queries/me.ts';
import { signInOptionsQuery } from '../../api/sign-in.ts';
import { playSound, toldViews } from '../../live/notify.ts';
import { Section } from '../../parts/page/section.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { describeFault } from '../sign-in/describe-fault.ts';

/** How the person is told of conversations. The browser is asked for its permission by the switch only. */
export function Notifications() {
  const { texts } = useTexts();
  const words = texts.me.notifications;
  const { notifications: choice, email_digest: isMailed } = useMe().person;
  const sendsMail = useQuery(signInOptionsQuery('')).data?.sends_mail;
  const [fault, setFault] = useState<string | null>(null);
  const change = useChangeMe();
  const store = (next: Partial<NotificationChoice>) =>
    change.mutate({ notifications: { ...choice, ...next } });
  const switchBrowser = async (isOn: boolean) => {
    setFault(null);
    if (!isOn) store({ browser: false });
    else if (!('Notification' in window)) setFault(words.unsupported);
    else if ((await Notification.requestPermission()) === 'granted') store({ browser: true });
    else setFault(words.denied);
  };
  return (
    <Section title={words.title} text={words.text}>
      <Switch
        label={words.browser}
        description={words.browserHelp}
        checked={choice.browser}
        onChange={(event) => void switchBrowser(event.currentTarget.checked)}
      />
      {fault !== null && <FaultLine>{fault}</FaultLine>}
      <Switch
        label={words.sound}
        description={words.soundHelp}
        checked={choice.sound}
        onChange={(event) => {
          if (event.currentTarget.checked) playSound();
          store({ sound: event.currentTarget.checked });
        }}
      />
      <Checkbox.Group
        label={words.viewsTitle}
        value={[...choice.views]}
        onChange={(views) => store({ views })}
      >
        <Group mt={8} gap="lg">
          {toldViews.map((view) => (
            <Checkbox key={view} value={view} label={words.views[view]} />
          ))}
        </Group>
      </Checkbox.Group>
      <Switch
        label={words.email}
        description={sendsMail === false ? `${words.emailHelp} ${words.emailNone}` : words.emailHelp}
        checked={isMailed}
        onChange={(event) => change.mutate({ email_digest: event.currentTarget.checked })}
      />
      {change.error !== null && <FaultLine>{describeFault(change.error, texts)}</FaultLine>}
    </Section>
  );
}
