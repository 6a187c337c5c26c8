// The hooks with which Swift's concurrency runtime lets a program run tasks that have no executor of their own. They are
// function pointers in libswift_Concurrency, declared as in its header. They and `swift_job_run` use Swift's calling
// convention.
#pragma once

#define CLINUX_SWIFT __attribute__((swiftcall))

// Implemented in GlobalExecutor.swift.
void dropsystem_take_job(void *job);
void dropsystem_take_late_job(unsigned long long nanoseconds, void *job);

extern CLINUX_SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, void *original);
extern CLINUX_SWIFT void (*swift_task_enqueueGlobalWithDelay_hook)(unsigned long long delay, void *job, void *original);
extern CLINUX_SWIFT void (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long seconds, long long nanoseconds, long long tolerance, long long tolerance_nanoseconds, int clock,
    void *job, void *original);
extern CLINUX_SWIFT void swift_get_time(long long *seconds, long long *nanoseconds, int clock);
extern CLINUX_SWIFT void swift_job_run(void *job, void *executor, void *implementation);

static CLINUX_SWIFT void clinux_enqueue(void *job, void *original) {
  (void)original;
  dropsystem_take_job(job);
}

static CLINUX_SWIFT void clinux_enqueue_late(unsigned long long delay, void *job, void *original) {
  (void)original;
  dropsystem_take_late_job(delay, job);
}

static CLINUX_SWIFT void clinux_enqueue_at(
    long long seconds, long long nanoseconds, long long tolerance, long long tolerance_nanoseconds, int clock,
    void *job, void *original) {
  (void)tolerance, (void)tolerance_nanoseconds, (void)original;
  long long now_seconds, now_nanoseconds;
  swift_get_time(&now_seconds, &now_nanoseconds, clock);
  // Longer delays than three hundred years do not fit, and do not matter.
  __int128 left = (__int128)(seconds - now_seconds) * 1000000000 + (nanoseconds - now_nanoseconds);
  if (left > 0x7fffffffffffffffLL) left = 0x7fffffffffffffffLL;
  dropsystem_take_late_job(left < 0 ? 0 : (unsigned long long)left, job);
}

// Call this before the first task that does not run on the main actor.
static inline void clinux_take_global_jobs(void) {
  swift_task_enqueueGlobal_hook = clinux_enqueue;
  swift_task_enqueueGlobalWithDelay_hook = clinux_enqueue_late;
  swift_task_enqueueGlobalWithDeadline_hook = clinux_enqueue_at;
}

// Runs a job that has no executor of its own.
static inline void clinux_run_job(void *job) { swift_job_run(job, 0, 0); }
