import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Connections } from '../../../src/operator/admission/connections';

/** Connections of which a test has the other ends; `a1` is one from the address `a`. */
function open(limits: { all: number; ofAddress: number }) {
  const connections = new Connections(limits);
  const sockets = new Map<string, Socket>();
  const ended: string[] = [];
  const socket = (name: string) => sockets.get(name)!;
  return {
    ended,
    connections,
    connect(...names: string[]) {
      for (const name of names) {
        const destroy = () => void ended.push(name);
        sockets.set(name, Object.assign(new EventEmitter(), { remoteAddress: name[0], remotePort: Number(name.slice(1)), destroy }) as unknown as Socket);
        connections.add(socket(name));
      }
    },
    begin: (name: string) => connections.count(socket(name), 1),
    answer: (name: string) => connections.count(socket(name), -1),
    review(...names: string[]) {
      for (const name of names) {
        connections.count(socket(name), 1);
        connections.prove(socket(name));
        connections.count(socket(name), -1);
      }
    },
  };
}

describe('an address has its share', () => {
  test('its oldest connection goes that has never brought a review, and then the one that has been idle for longest', () => {
    const { connect, review, ended, connections } = open({ all: 100, ofAddress: 3 });
    connect('b1', 'a1', 'a2', 'a3');
    review('b1', 'a1', 'a3', 'a1');
    connect('a4');
    expect(ended).toEqual(['a2']);
    review('a4');
    connect('a5');
    expect(ended).toEqual(['a2', 'a3']);
    expect(connections.size).toBe(4);
  });

  test('nothing goes on which a request is under way: then the new one does', () => {
    const { connect, begin, answer, review, ended } = open({ all: 100, ofAddress: 2 });
    connect('a1', 'a2');
    review('a1', 'a2');
    begin('a1');
    begin('a2');
    connect('a3');
    expect(ended).toEqual(['a3']);
    answer('a2');
    connect('a4');
    expect(ended).toEqual(['a3', 'a2']);
  });
});

describe('where there is no room at all', () => {
  test('the oldest goes that has never brought a review, whose ever it is', () => {
    const { connect, review, ended } = open({ all: 4, ofAddress: 3 });
    connect('a1', 'b1', 'a2', 'a3');
    review('a1', 'a2');
    connect('c1');
    expect(ended).toEqual(['b1']);
  });

  test('and if there is none, of the address that has most, the one that has been idle for longest', () => {
    const { connect, review, ended } = open({ all: 4, ofAddress: 3 });
    connect('b1', 'a1', 'a2', 'a3');
    review('b1', 'a2', 'a1', 'a3');
    connect('c1');
    expect(ended).toEqual(['a2']);
  });

  test('who keeps all of his busy does not take those of others, who have fewer', () => {
    const { connect, begin, review, ended } = open({ all: 4, ofAddress: 3 });
    connect('b1', 'a1', 'a2', 'c1');
    review('b1', 'a1', 'a2', 'c1');
    begin('a1');
    begin('a2');
    connect('a3');
    expect(ended).toEqual(['a3']);
    connect('b2');
    expect(ended).toEqual(['a3', 'b1']);
  });
});
