import { BatchScheduler } from '../../src';

test('each scheduler has the name that the operator knows', () => {
  expect(BatchScheduler.volcano({ queue: 'etl', priorityClassName: 'high', resources: { cpu: '8', memory: '32Gi' } })._toScheduler()).toEqual({
    batchScheduler: 'volcano', batchSchedulerOptions: { queue: 'etl', priorityClassName: 'high', resources: { cpu: '8', memory: '32Gi' } },
  });
  expect(BatchScheduler.yunikorn({ queue: 'root.etl' })._toScheduler()).toMatchObject({
    batchScheduler: 'yunikorn', batchSchedulerOptions: { queue: 'root.etl' },
  });
  expect(BatchScheduler.kubeScheduler()._toScheduler()).toEqual({ batchScheduler: 'scheduler-plugins-scheduler' });
  expect(BatchScheduler.kubeScheduler({ schedulerName: 'default-scheduler', resources: { cpu: '8' } })._toScheduler()).toEqual({
    batchScheduler: 'default-scheduler', batchSchedulerOptions: { resources: { cpu: '8' } },
  });
  expect(BatchScheduler.named('mine')._toScheduler()).toEqual({ batchScheduler: 'mine' });
});

test('invalid amounts and an empty name are rejected', () => {
  expect(() => BatchScheduler.volcano({
    resources: { cpu: '8', memory: '32GB' },
  })).toThrow('BatchScheduler.volcano: resources[memory] = "32GB" must be a quantity such as 500m, 2 or 4Gi');
  expect(() => BatchScheduler.named('')).toThrow('BatchScheduler.named: name = "" is not a name');
  expect(() => BatchScheduler.named('Volcano ')).toThrow('BatchScheduler.named: name = "Volcano " is not a name');
  expect(() => BatchScheduler.volcano({ resources: { cpu: '-8' } })).toThrow('resources[cpu] = "-8" must be a quantity');
  expect(() => BatchScheduler.kubeScheduler({ schedulerName: 'Gang' })).toThrow(
    'BatchScheduler.kubeScheduler: schedulerName = "Gang" is not a name',
  );
  expect(() => BatchScheduler.yunikorn({ queue: '' })).toThrow('BatchScheduler.yunikorn: queue = "" must not be empty');
  expect(() => BatchScheduler.volcano({ queue: '', resources: { cpu: '8' } })).toThrow('queue = "" must not be empty');
});
