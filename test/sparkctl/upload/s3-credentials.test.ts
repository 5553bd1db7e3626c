import { s3Credentials } from '../../../src/sparkctl/upload/s3/credentials';

const CREDENTIALS = `[default]
aws_access_key_id = AKDEFAULT
aws_secret_access_key = s3cr3t/+=  # of no account

[team]
aws_access_key_id=AKTEAM
aws_secret_access_key=other
aws_session_token=token
`;

const CONFIG = `; comments
[default]
region = eu-central-1
s3 =
    max_concurrent_requests = 2
[profile team]
region = us-west-2
endpoint_url = https://s3.example.org
[profile work]
sso_start_url = https://example.org/start
`;

const find = (environment: Record<string, string>, given = {}, files: Record<string, string> = { '/home/me/.aws/credentials': CREDENTIALS, '/home/me/.aws/config': CONFIG }) => (
  s3Credentials({ environment, home: '/home/me', readFile: async (path) => files[path] }, given)
);

test.each([
  ['the default profile', {}, { accessKeyId: 'AKDEFAULT', secretAccessKey: 's3cr3t/+=', region: 'eu-central-1' }],
  ['another profile', { AWS_PROFILE: 'team' }, { accessKeyId: 'AKTEAM', secretAccessKey: 'other', sessionToken: 'token', region: 'us-west-2', endpoint: 'https://s3.example.org' }],
  ['variables before profiles', { AWS_ACCESS_KEY_ID: 'AKENV', AWS_SECRET_ACCESS_KEY: 'env', AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: 'http://localhost:9000' },
    { accessKeyId: 'AKENV', secretAccessKey: 'env', region: 'eu-west-1', endpoint: 'http://localhost:9000' }],
  ['a variable for S3 alone', { AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_S3: 'http://s3' }, { endpoint: 'http://s3' }],
])('%s', async (_, environment, expected) => {
  expect(await find(environment as Record<string, string>)).toMatchObject(expected);
});

test('the command line takes precedence', async () => {
  expect(await find({ AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: 'http://other' }, { region: 'here', endpoint: 'http://this' })).toMatchObject({ region: 'here', endpoint: 'http://this' });
});

test('variables can name other files', async () => {
  expect(await find({ AWS_SHARED_CREDENTIALS_FILE: '/keys' }, {}, { '/keys': CREDENTIALS })).toEqual({ accessKeyId: 'AKDEFAULT', secretAccessKey: 's3cr3t/+=', region: 'us-east-1', endpoint: undefined });
});

test.each([
  ['none at all', {}, {}, /^there are no credentials for the upload; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
  ['half of them', { AWS_ACCESS_KEY_ID: 'AK' }, {}, /^there are no credentials/],
  ['no such profile', { AWS_PROFILE: 'tema' }, undefined, /^AWS_PROFILE names the profile tema,/],
  ['credentials by a service', { AWS_PROFILE: 'work' }, undefined, /^the profile work gets its credentials by sso_start_url, which sparkctl does not support; run `eval/],
])('%s: the message names the remedy', async (_, environment, files, message) => {
  await expect(find(environment as Record<string, string>, {}, files)).rejects.toThrow(message);
});
