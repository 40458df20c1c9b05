import { Avatar, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Theme, useChangeMe, useMe } from '../api/queries/me.ts';
import { signOut } from '../api/sign-in.ts';
import {
  BookOpenText,
  Check,
  type IconType,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Sun,
  UserRound,
} from '../icons.ts';
import { Icon } from '../parts/icon.tsx';
import { languages } from '../texts/common-texts.tsx';
import { useTexts } from '../texts/texts.tsx';
import { openKeys } from './keys-overlay.tsx';

/** The signed-in person, with what concerns them alone. */
export function MeMenu() {
  const { person } = useMe();
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>
        <UnstyledButton className="p-me">
          <Avatar size={24} name={person.name} color="petrol" aria-hidden="true" />
          <span className="p-rail-text p-workspace-name">{person.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <MeItems />
      </Menu.Dropdown>
    </Menu>
  );
}

const themes: readonly (readonly [Theme, IconType])[] = [
  ['auto', Monitor],
  ['light', Sun],
  ['dark', Moon],
];

/** The entries of the menu; the bottom bar of a phone has them as well. */
export function MeItems() {
  const { texts, language } = useTexts();
  const words = texts.frame.me;
  const { person } = useMe();
  const change = useChangeMe();
  const { setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Item component={Link} to="/me" leftSection={<Icon of={UserRound} />}>
        {words.profile}
      </Menu.Item>
      <Menu.Item leftSection={<Icon of={Keyboard} />} onClick={openKeys}>
        {words.help}
      </Menu.Item>
      <Menu.Item component="a" href="/docs/guide" target="_blank" leftSection={<Icon of={BookOpenText} />}>
        {words.documentation}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>{words.theme}</Menu.Label>
      {themes.map(([theme, icon]) => (
        <Menu.Item
          key={theme}
          leftSection={<Icon of={icon} />}
          {...(person.theme === theme && { rightSection: <Icon of={Check} /> })}
          onClick={() => {
            setColorScheme(theme);
            change.mutate({ theme });
          }}
        >
          {words[theme]}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Label>{words.language}</Menu.Label>
      {Object.entries(languages).map(([code, name]) => (
        <Menu.Item
          key={code}
          lang={code}
          {...(language === code && { rightSection: <Icon of={Check} /> })}
          onClick={() => change.mutate({ language: code })}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<Icon of={LogOut} />} onClick={() => void signOut()}>
        {words.signOut}
      </Menu.Item>
    </>
  );
}
