// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVTX: names of times and places for NVIDIA's profilers. There is none here, so that nothing is noted.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))

#define SIMT_NVTX(result, name, ...) \
  static inline result name(__VA_ARGS__) { return (result)0; }
#define SIMT_NVTX_NOTHING(name, ...) \
  static inline void name(__VA_ARGS__) {}

SIMT_NVTX_NOTHING(nvtxInitialize, const void*)
SIMT_NVTX_NOTHING(nvtxMarkEx, const nvtxEventAttributes_t*)
SIMT_NVTX_NOTHING(nvtxMarkA, const char*)
SIMT_NVTX_NOTHING(nvtxMarkW, const wchar_t*)
SIMT_NVTX(nvtxRangeId_t, nvtxRangeStartEx, const nvtxEventAttributes_t*)
SIMT_NVTX(nvtxRangeId_t, nvtxRangeStartA, const char*)
SIMT_NVTX(nvtxRangeId_t, nvtxRangeStartW, const wchar_t*)
SIMT_NVTX_NOTHING(nvtxRangeEnd, nvtxRangeId_t)
SIMT_NVTX(int, nvtxRangePushEx, const nvtxEventAttributes_t*)
SIMT_NVTX(int, nvtxRangePushA, const char*)
SIMT_NVTX(int, nvtxRangePushW, const wchar_t*)
SIMT_NVTX(int, nvtxRangePop, void)
SIMT_NVTX_NOTHING(nvtxNameCategoryA, uint32_t, const char*)
SIMT_NVTX_NOTHING(nvtxNameCategoryW, uint32_t, const wchar_t*)
SIMT_NVTX_NOTHING(nvtxNameOsThreadA, uint32_t, const char*)
SIMT_NVTX_NOTHING(nvtxNameOsThreadW, uint32_t, const wchar_t*)
SIMT_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, const char*)
SIMT_NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, const wchar_t*)
SIMT_NVTX_NOTHING(nvtxDomainDestroy, nvtxDomainHandle_t)
SIMT_NVTX_NOTHING(nvtxDomainNameCategoryA, nvtxDomainHandle_t, uint32_t, const char*)
SIMT_NVTX_NOTHING(nvtxDomainNameCategoryW, nvtxDomainHandle_t, uint32_t, const wchar_t*)
SIMT_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, nvtxDomainHandle_t, const char*)
SIMT_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW, nvtxDomainHandle_t, const wchar_t*)
SIMT_NVTX_NOTHING(nvtxDomainMarkEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*)
SIMT_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*)
SIMT_NVTX_NOTHING(nvtxDomainRangeEnd, nvtxDomainHandle_t, nvtxRangeId_t)
SIMT_NVTX(int, nvtxDomainRangePushEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*)
SIMT_NVTX(int, nvtxDomainRangePop, nvtxDomainHandle_t)

#undef SIMT_NVTX
#undef SIMT_NVTX_NOTHING

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
