//! The simulation: what happens to each move, from the player's decision to the answer.

use std::collections::VecDeque;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use crate::costs::{Costs, Deployment};
use crate::outage::Change;
use crate::queue::{Cores, Nanos, Schedule};
use crate::traffic::{Thinking, Traffic};

/// A move that was answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnsweredMove {
    pub(crate) begun: Nanos,
    pub(crate) took: Nanos,
}

/// A move under way.
#[derive(Debug, Clone, Copy)]
struct Call {
    of: u32,
    begun: Nanos,
    failed: u32,
}

enum Event {
    /// A call reaches a replica.
    Arrival(Call),
    /// A replica has judged a move. Its `run` tells whether it has been restarted since.
    Judged {
        replica: u32,
        run: u32,
        call: Call,
    },
    /// A replica's batch is durable.
    Committed {
        replica: u32,
        run: u32,
        shard: u32,
    },
    Change(Change),
}

struct Replica {
    cores: Cores,
    writers: Vec<Writer>,
    /// The matches that it has in memory: all, until it is restarted.
    warm: Vec<bool>,
    run: u32,
    is_up: bool,
    /// Whether calls are sent to it.
    balanced_until: Nanos,
}

/// What waits for one database, and the batch that is on its way to it.
#[derive(Default)]
struct Writer {
    waiting: VecDeque<Call>,
    batch: Vec<Call>,
}

struct Database {
    cores: Cores,
    down_until: Nanos,
}

/// A running simulation.
pub(crate) struct Simulation {
    costs: Costs,
    thinking: Thinking,
    replicas: Vec<Replica>,
    databases: Vec<Database>,
    schedule: Schedule<Event>,
    rng: ChaCha12Rng,
    answered: Vec<AnsweredMove>,
}

const FOREVER: Nanos = Nanos(u64::MAX);

impl Simulation {
    pub(crate) fn new(traffic: &Traffic, deployment: Deployment, costs: Costs, seed: u64) -> Self {
        let thinking = traffic.thinking();
        let replica = || Replica::new(deployment, thinking.matches());
        let replicas = (0..deployment.replicas).map(|_| replica()).collect();
        let database =
            || Database { cores: Cores::new(deployment.database_cores), down_until: Nanos::default() };
        let databases = (0..deployment.shards).map(|_| database()).collect();
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let mut schedule = Schedule::new();
        for of in 0..thinking.matches() {
            let begun = thinking.pause(of, &mut rng);
            schedule.add(begun + costs.network(), Event::Arrival(Call { of, begun, failed: 0 }));
        }
        Self { costs, thinking, replicas, databases, schedule, rng, answered: Vec::new() }
    }

    pub(crate) fn schedule(&mut self, changes: &[(Nanos, Change)]) {
        changes.iter().for_each(|(at, change)| self.schedule.add(*at, Event::Change(*change)));
    }

    /// Runs for a simulated time. Returns the moves that were answered; those still waiting are left out.
    pub(crate) fn run(mut self, time: Duration) -> Vec<AnsweredMove> {
        let end = Nanos::of(time);
        while let Some((now, event)) = self.schedule.next() {
            if now > end {
                break;
            }
            match event {
                Event::Arrival(call) => self.arrive(now, call),
                Event::Judged { replica, run, call } => self.judged(now, replica, run, call),
                Event::Committed { replica, run, shard } => self.committed(now, replica, run, shard),
                Event::Change(change) => self.change(now, change),
            }
        }
        self.answered
    }

    fn arrive(&mut self, now: Nanos, call: Call) {
        let balanced = (0..self.replicas.len()).filter(|index| self.replicas[*index].is_balanced(now));
        let balanced: Vec<usize> = balanced.collect();
        let Some(index) = balanced.get(self.rng.random_range(0..balanced.len().max(1))) else {
            return self.retry(now, call);
        };
        let replica = &mut self.replicas[*index];
        if !replica.is_up {
            return self.retry(now, call);
        }
        let is_cold = !std::mem::replace(&mut replica.warm[call.of as usize], true);
        let done = replica.cores.work(now, self.costs.compute(is_cold));
        let (replica, run) = (u32::try_from(*index).expect("there are at most 1000"), replica.run);
        self.schedule.add(done, Event::Judged { replica, run, call });
    }

    fn judged(&mut self, now: Nanos, replica: u32, run: u32, call: Call) {
        let state = &mut self.replicas[replica as usize];
        if state.run != run {
            return self.retry(now, call);
        }
        let shard = call.of as usize % self.databases.len();
        state.writers[shard].waiting.push_back(call);
        self.send_batch(now, replica, shard);
    }

    /// Sends what waits, unless a batch is on its way.
    fn send_batch(&mut self, now: Nanos, replica: u32, shard: usize) {
        let state = &mut self.replicas[replica as usize];
        let writer = &mut state.writers[shard];
        if !writer.batch.is_empty() || writer.waiting.is_empty() {
            return;
        }
        let count = writer.waiting.len().min(self.costs.batch as usize);
        writer.batch = writer.waiting.drain(..count).collect();
        let database = &mut self.databases[shard];
        let written = database.cores.work(now.max(database.down_until), self.costs.rows(count));
        let (run, shard) = (state.run, u32::try_from(shard).expect("there are at most 1024"));
        self.schedule.add(written + self.costs.commit(), Event::Committed { replica, run, shard });
    }

    fn committed(&mut self, now: Nanos, replica: u32, run: u32, shard: u32) {
        let state = &mut self.replicas[replica as usize];
        if state.run != run {
            return;
        }
        let answered_at = now + self.costs.network();
        for Call { of, begun, .. } in std::mem::take(&mut state.writers[shard as usize].batch) {
            self.answered.push(AnsweredMove { begun, took: answered_at.since(begun) });
            let begun = answered_at + self.thinking.pause(of, &mut self.rng);
            let call = Call { of, begun, failed: 0 };
            self.schedule.add(begun + self.costs.network(), Event::Arrival(call));
        }
        self.send_batch(now, replica, shard as usize);
    }

    fn change(&mut self, now: Nanos, change: Change) {
        match change {
            Change::ReplicaDown { replica, noticed_after } => {
                let state = &mut self.replicas[replica as usize];
                let cut = state.stop(now + noticed_after);
                cut.into_iter().for_each(|call| self.retry(now, call));
            }
            Change::ReplicaUp { replica } => {
                let state = &mut self.replicas[replica as usize];
                (state.is_up, state.balanced_until) = (true, FOREVER);
            }
            Change::DatabaseDown { shard, until } => {
                self.databases[shard as usize].down_until = until;
            }
        }
    }

    fn retry(&mut self, now: Nanos, call: Call) {
        let pause = self.costs.retry(call.failed);
        let call = Call { failed: call.failed + 1, ..call };
        self.schedule.add(now + pause, Event::Arrival(call));
    }
}

impl Replica {
    fn new(deployment: Deployment, matches: u32) -> Self {
        Self {
            cores: Cores::new(deployment.cores),
            writers: (0..deployment.shards).map(|_| Writer::default()).collect(),
            warm: vec![true; matches as usize],
            run: 0,
            is_up: true,
            balanced_until: FOREVER,
        }
    }

    fn is_balanced(&self, now: Nanos) -> bool {
        now < self.balanced_until
    }

    /// Ends the process, and returns the calls that it had. What it has in memory is gone.
    fn stop(&mut self, balanced_until: Nanos) -> Vec<Call> {
        (self.is_up, self.balanced_until, self.run) = (false, balanced_until, self.run + 1);
        self.warm.fill(false);
        let lost = self
            .writers
            .iter_mut()
            .flat_map(|writer| writer.waiting.drain(..).chain(writer.batch.drain(..)).collect::<Vec<Call>>());
        lost.collect()
    }
}
